/** Where a word stands that tells an industry: the nearer to the client, the more it says of it. */
export type Place = "name" | "defines" | "self" | "title" | "description" | "near" | "early" | "late";
export type Kind = "synonym" | "cue" | "weak";
export type IndustryFeature = `${Place}-${Kind}` | "similar" | "known" | "generic" | "software";

/**
 * What each sign counts for an industry. Industries and "none" (0) compete, each beginning at `bias`: the chance of one
 * is e^score over the sum of all.
 *
 * First guessed, then moved by the figures as those of `client/weights.ts` were: 392 labelled pages of 24 vendors. The
 * weights of one half of the vendors tell the industries of the other half nearly as well as its own do.
 */
export const WEIGHTS: Readonly<Partial<Record<IndustryFeature, number>>> & { readonly bias: number } = {
  bias: -1.39,
  similar: 7.65,
  known: 4.14,
  "defines-synonym": 2.02,
  "name-synonym": 1.99,
  "name-cue": 1.97,
  "defines-cue": 1.85,
  "description-synonym": 1.6,
  "defines-weak": 1.45,
  "description-cue": 1.42,
  "title-synonym": 1.4,
  "title-cue": 1.32,
  software: 1.29,
  "self-synonym": 1.24,
  "description-weak": 1.15,
  "near-cue": 0.94,
  "early-cue": 0.93,
  "near-synonym": 0.9,
  "self-weak": 0.85,
  "self-cue": 0.77,
  "name-weak": 0.64,
  "early-synonym": 0.61,
  "late-cue": 0.46,
  "title-weak": 0.42,
  "late-synonym": 0.26,
};

/** Words that are about work of any kind: they tell an industry only where the client is described. */
export const WEAK: ReadonlySet<string> = new Set(
  (
    "cloud|security|network security|infrastructure|database|technology|tech|software|internet|it|ict|digital technology|training|delivery|communication|building|space|water|gas|oil|housing|community|" +
    "analytic|analytics|streaming|messaging|video|photo|music|film|news|event|engineering|hardware|hosting|startup|productivity|compliance|research|science|weather|trading|credit|payment|mobile network|" +
    "wireless|shipping|mobility|carrier|property|game|foundation|architecture|law|sensor|chip|packaging|paper|steel|toy|drink|car|motor|vehicle|school|college|ml|ai|machine learning|deep learning|data science|" +
    "artificial intelligence|open source|open source software|software development|cloud computing|cloud native|data center|data centre|content management|data analytic|devop|developer tool|web development|" +
    "mobile app|app development|business intelligence|cloud infrastructure|computer science|high performance computing|edge computing|embedded system|high tech|network operator|student|hotel|media|" +
    "publisher|publishing|trip|player|sale|animation|human resource|outsourcing|consultant|it service|digital transformation|consultancy|customer engagement|employment|shopping|marketplace|online service|" +
    "b2b software|investment|finance|financial|accounting|market|health|medical|fleet management|supply chain|logistic|transport|transportation|freight|content|broadcast|television|tv|radio|movie|money|" +
    "token|llm|large language model|iot|connected device|doctor|guest|candidate|artist|camera|contractor|client|government|energy|electricity|nuclear|crop|farm|food|factory|robot|satellite|drone|police|" +
    "card game|experiment|volunteer|climate|scientist|course|teacher|learner|citizen|court|highway|toll|train|ride|vehicle|parking|warehouse|seller|merchant|sensor|public cloud provider|cloud platform|" +
    "cloud service|private cloud|cloud provider|system integrator|systems integration|managed service|saas|software a a service|software as a service|kubernete|data protection|industrial|mine|coal|apartment|advisory|lodging|leisure|wellness|gym|football|identity management|firewall|malware|fraud detection"
  ).split("|"),
);
