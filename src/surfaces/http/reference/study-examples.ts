export const OUTCOME = {
  metric: "Processing time",
  value: 40,
  unit: "%",
  direction: "decrease",
  text: "Loan applications are processed in 40 % less time.",
};

export const STUDY = {
  id: "harbourline-northgate",
  title: "Northgate Bank leaves its mainframe in nine months",
  url: "https://harbourline.example/customers/northgate",
  company: { name: "Harbourline", slug: "harbourline" },
  client: { name: "Northgate Bank", domain: "northgate.example" },
  industry: "Financial Services",
  country: "NO",
  summary: "A regional bank moved its loan book from a mainframe to Harbourline Ledger.",
  challenge: "Each change of the loan book took a quarter.",
  solution: "Harbourline Ledger took over one product at a time, beside the mainframe.",
  outcomes: [OUTCOME],
  products: ["Harbourline Ledger"],
  tools: ["Kafka"],
  quote: { text: "We change a rate in a day now.", person: "Ingrid Moe", role: "Head of Lending" },
  published_at: "2024-03-18",
  language: "en",
  indexed_at: "2026-05-04T12:00:00.000Z",
  origin: "submitted",
};

export const RESULT = {
  ...STUDY,
  score: 0.82,
  passage: "The bank moved off its mainframe in nine months.",
  highlights: [
    [4, 8],
    [27, 36],
  ],
};

export const COMPANY = {
  name: "Harbourline",
  slug: "harbourline",
  domain: "harbourline.example",
  industry: "Software",
  logo_url: null,
  total_case_studies: 12,
};

export const DATED = {
  id: STUDY.id,
  title: STUDY.title,
  client: STUDY.client.name,
  industry: STUDY.industry,
  published_at: STUDY.published_at,
};
