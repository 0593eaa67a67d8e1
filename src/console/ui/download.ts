import { type RequestOptions, requestFile } from "./api-client.ts";

/** Requests a file of the service and saves it under this name. @throws ApiError */
export async function download(path: string, name: string, options: RequestOptions = {}): Promise<void> {
  const url = URL.createObjectURL(await requestFile(path, options));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
