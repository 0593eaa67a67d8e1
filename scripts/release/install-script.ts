export interface InstallSource {
  /** Folder of the releases, without a slash at the end. */
  readonly baseUrl: string;
  /** Public key of minisign. */
  readonly publicKey: string;
  readonly version: string;
}

/** The install script of a release, with its address, key and version in place of the marks. */
export const installScript = (template: string, { baseUrl, publicKey, version }: InstallSource): string =>
  template.replaceAll("@BASE_URL@", baseUrl).replaceAll("@PUBLIC_KEY@", publicKey).replaceAll("@VERSION@", version);
