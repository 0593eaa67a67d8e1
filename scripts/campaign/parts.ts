import { batches } from "./batches.ts";
import { bulk } from "./bulk.ts";
import { crashes } from "./crash.ts";
import { faults } from "./faults.ts";
import { fuzz } from "./fuzz.ts";
import { hostile } from "./hostile.ts";
import { kill } from "./kill.ts";
import { nodes } from "./nodes.ts";
import type { CampaignPart } from "./part.ts";
import { power } from "./power.ts";
import { rebinding } from "./rebinding.ts";
import { records } from "./records.ts";
import { soak } from "./soak.ts";
import { ssrf } from "./ssrf.ts";
import { upgrade } from "./upgrade.ts";

/** Every part, in the order in which they run. */
export const PARTS: readonly CampaignPart[] = [
  ssrf,
  rebinding,
  hostile,
  fuzz,
  records,
  crashes,
  kill,
  batches,
  nodes,
  bulk,
  upgrade,
  power,
  faults,
  soak,
];
