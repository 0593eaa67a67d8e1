/** A release file: its name and the SHA-256 of its content in hexadecimal. */
export interface ReleaseFile {
  readonly name: string;
  readonly sha256: string;
}

/**
 * The Homebrew formula of a release: the executables of macOS and Linux with their sums.
 *
 * @param baseUrl folder of the releases, without a slash at the end
 * @throws Error when an executable is missing
 */
export function formulaOf(version: string, baseUrl: string, files: readonly ReleaseFile[]): string {
  const platform = (target: string) => {
    const name = `casefile-${version}-${target}`;
    const file = files.find((one) => one.name === name);
    if (!file) throw new Error(`There is no ${name} for the formula.`);
    return `url "${baseUrl}/v${version}/${name}"\n      sha256 "${file.sha256}"`;
  };
  return `class Casefile < Formula
  desc "Lists the tools a company uses, with evidence, and searches case studies"
  homepage "${baseUrl}"
  version "${version}"
  license "Apache-2.0"

  on_macos do
    depends_on arch: :arm64
    on_arm do
      ${platform("darwin-arm64")}
    end
  end

  on_linux do
    on_intel do
      ${platform("linux-x64")}
    end
    on_arm do
      ${platform("linux-arm64")}
    end
  end

  def install
    bin.install Dir["casefile-*"].first => "casefile"
    generate_completions_from_executable(bin/"casefile", "completions", shells: [:bash, :zsh, :fish])
  end

  service do
    run [opt_bin/"casefile", "serve", "--data-dir", var/"casefile"]
    keep_alive true
    log_path var/"log/casefile.log"
    error_log_path var/"log/casefile.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/casefile --version")
  end
end
`;
}
