import { exposedKey } from "../../src/net/signing-key.ts";
import { run } from "./run.ts";

/**
 * Signs a file with minisign; the signature is next to it, with `.minisig`. The older format without a hash is used: the file
 * is small, and OpenSSL can check it too.
 *
 * @param key path of a secret key without a password, made by `minisign -G -W`; it is kept outside the repository
 * @throws Error when minisign is missing or refuses the key
 */
export async function sign(file: string, key: string, comment: string): Promise<string> {
  const exposed = exposedKey(key);
  if (exposed) console.warn(`${exposed.detail} ${exposed.remedy}`);
  await run(["minisign", "-S", "-l", "-s", key, "-m", file, "-t", comment]);
  return `${file}.minisig`;
}

/** The public key in a file that `minisign -G` wrote: its second line. @throws Error when it is not one */
export async function publicKeyOf(file: string): Promise<string> {
  const key = (await Bun.file(file).text()).split("\n")[1]?.trim() ?? "";
  if (!/^RW[\w+/]{54}$/.test(key)) throw new Error(`${file} is not a public key of minisign.`);
  return key;
}
