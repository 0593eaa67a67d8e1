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
  bias: -1.14,
  similar: 7.41,
  known: 4.44,
  "defines-synonym": 2.21,
  "defines-cue": 1.99,
  "name-synonym": 1.96,
  "name-cue": 1.94,
  "defines-weak": 1.84,
  "description-synonym": 1.77,
  "description-cue": 1.59,
  software: 1.5,
  "title-synonym": 1.49,
  "self-synonym": 1.38,
  "title-cue": 1.31,
  "description-weak": 1.29,
  "near-cue": 1.05,
  "early-cue": 1,
  "near-synonym": 0.98,
  "self-weak": 0.85,
  "self-cue": 0.65,
  "early-synonym": 0.62,
  "name-weak": 0.53,
  "late-cue": 0.48,
  "title-weak": 0.29,
  "late-synonym": 0.23,
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
