export type Coding = "zstd" | "gzip";

/**
 * The coding that a client would rather have (RFC 9110, 12.5.3), of equals the one that is offered first; undefined when
 * it takes none of them, or said nothing.
 */
export function codingFor(request: Request, offered: readonly Coding[]): Coding | undefined {
  const weights = new Map(
    (request.headers.get("accept-encoding") ?? "")
      .slice(0, 500)
      .toLowerCase()
      .split(",")
      .map((item): [string, number] => {
        const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
        const weight = parameters.find((parameter) => parameter.startsWith("q="));
        return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
      }),
  );
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get("*") ?? 0;
  return offered.filter((coding) => weightOf(coding) > 0).sort((one, other) => weightOf(other) - weightOf(one))[0];
}
