import type { Enrichment, ServiceInfo } from "../api-types.ts";
import { ScrollRegion, Section } from "../components/panels.tsx";
import { pluralise } from "../format.ts";

interface OtherThirdPartiesProps {
  readonly parties: NonNullable<Enrichment["third_parties"]>;
  readonly signals: ServiceInfo["signals"];
}

/** Third-party domains that belong to no known tool. */
export const OtherThirdParties = ({ parties, signals }: OtherThirdPartiesProps) => (
  <Section title="Other third parties" class="sources">
    <p>
      {pluralise(parties.length, "domain")} that the company loads from, allows or uses in DNS, and that belong to no
      known tool.
    </p>
    <ScrollRegion label="All other third parties">
      <table>
        <thead>
          <tr>
            <th scope="col">Domain</th>
            <th scope="col">Seen in</th>
            <th scope="col">Hosts</th>
          </tr>
        </thead>
        <tbody>
          {parties.map(({ domain, hosts, seen }) => (
            <tr key={domain}>
              <th scope="row">{domain}</th>
              <td>
                {seen.map(({ signal, location }, index) => (
                  <span key={signal} title={`${signals[signal] ?? signal}: ${location}`}>
                    {index > 0 && ", "}
                    <code>{signal}</code>
                  </span>
                ))}
              </td>
              <td class="break">{hosts.join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  </Section>
);
