/** First labels that companies give to what a vendor runs for them. */
export const TELLING_NAMES: readonly string[] = `
  academy account admin affiliates ai analytics answers api app apply apps argocd assets auth
  billing blog book booking bounce brand
  calendar campaigns careers cart cdn chat checkout ci click clicks cms code community confluence connect console content
  crm customer
  dashboard data demo design dev developer developers discover docs download
  edu em email engage events examples
  faq feedback files forms forum
  get git gitlab go grafana gtm
  health help helpdesk hire hiring home hr hub
  ideas images img info insights investor investors invoice ir
  jenkins jira jobs join
  kb kibana knowledge knowledgebase
  landing learn learning legal library link links lists live login lp
  m mailer marketing media meet meetings metrics mkt mkto my
  n8n news newsletter newsroom
  offers onboarding
  page pages partner partners pay payments people portal press privacy product promo
  qa
  recruiting refer referral register release reports resources respond reviews rewards roadmap
  sales sandbox sc search secure security sentry server-side service servicedesk sgtm share shop signup smetrics sms sonar
  stage staging start static stats status store stories stream subscribe success support survey surveys
  t tags talent team tech tickets track tracking training trust try
  university updates upload url
  vault video videos vpn
  web webinar webinars whistleblower whistleblowing wiki work workspace`
  .trim()
  .split(/\s+/);
