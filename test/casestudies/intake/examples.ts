export const SUBMISSION = {
  company_name: "Harbourline",
  company_slug: "harbourline",
  company_domain: "harbourline.example",
  case_study_url: "https://harbourline.example/customers",
  contact_email: "ana@harbourline.example",
};

export const PAGE = {
  url: "https://harbourline.example/customers/quarrystone",
  kind: "html" as const,
  content: "<h1>Quarrystone</h1>",
  language: "en",
  last_modified: null,
};

export const MARKS = { etag: '"1"', last_modified: null, content_hash: "a1" };
