import { type ClientOptions, createClient } from "../../client/src/index.ts";
import { filled } from "../http/filled.ts";

/** A client of a service in this process; records each request and each wait. */
export async function served(
  options: Partial<ClientOptions> & { readonly service?: Parameters<typeof filled>[0] } = {},
) {
  const { service: parts, ...more } = options;
  const service = await filled(parts);
  const requests: Request[] = [];
  const waits: number[] = [];
  const client = createClient({
    baseUrl: "http://casefile.test/",
    apiKey: await service.key("cleo@brightpine.test"),
    fetch(url, init) {
      const request = new Request(url, init);
      requests.push(request);
      return service.handler(request, "127.0.0.1");
    },
    wait: async (milliseconds) => void waits.push(milliseconds),
    ...more,
  });
  return { ...service, client, requests, waits };
}

/** Answers each request with the next response, and repeats the last. */
export function answering(...answers: (() => Response)[]) {
  let asked = 0;
  return {
    asked: () => asked,
    fetch: async (_url: string, _init: RequestInit): Promise<Response> => {
      const answer = answers[Math.min(asked, answers.length - 1)];
      asked += 1;
      if (!answer) throw new Error("there is no answer");
      return answer();
    },
  };
}

export const refusal = (status: number, headers: Record<string, string> = {}, more: object = {}) =>
  new Response(
    JSON.stringify({ type: "x", title: "Refused", status, detail: "Wait.", code: "service.overloaded", ...more }),
    { status, headers: { "content-type": "application/problem+json", ...headers } },
  );
