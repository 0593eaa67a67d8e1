import { fold } from "./folded-text.ts";

/** How text speaks to a model instead of to a reader. Folded text: lower case, no quotation marks, one kind of space. */
const ORDERS: readonly RegExp[] = [
  /\b(ignore|disregard|forget|override|bypass|skip)\b.{0,40}\b(instructions?|prompts?|rules|directions|commands?|guidelines|constraints)\b/,
  /\b(ignore|disregard|forget)\b.{0,20}\b(all|everything|anything)\b.{0,20}\b(above|before|previous|said|told)\b/,
  /\bignorier\w{0,3}\b.{0,40}\b(anweisung|vorgabe|regel)/,
  /\b(ignore[zr]?|oublie[zr]?)\b.{0,40}\b(instructions|consignes)\b/,
  /\b(ignor[ae]n?|olvida)\b.{0,40}\binstrucciones\b/,
  /\b(you are|act as|pretend to be|behave as|roleplay as)\b.{0,30}\b(ai|assistant|language model|llm|chatbot|gpt)\b/,
  /\b(system|developer)[ -](prompt|message|instructions?)\b/,
  /\b(new|updated|real|following) instructions?\b.{0,5}:/,
  /\b(note|instructions?|message|attention)\s(to|for)\s(any |all |the )?(ai|llm|language model|assistant|model|crawler|bot)s?\b/,
  /\b(dear|attention|hey),? (ai|llm|language model|assistant|chatbot)s?\b/,
  /\b(ai|llm|language models?|assistants?)\b.{0,40}\b(reading|processing|parsing|summari[sz]ing) this\b/,
  /(^|[.!?:;,-] ?|\b(and|then|please|instead|must|should|always|only|simply|just) )(say|output|respond|reply|answer|claim|return|print|pretend|report|write|state|set|fill)\b.{0,30}\b(client|customer|outcomes?|industry|summary|quote|results?|json|fields?)\b.{0,15}( is | are | was | as | to | with |:|=)/,
  /<\|[a-z_]{1,30}\|>|\[\/?inst\]|<<\/?sys>>|<\/?(system|assistant|instructions?)>/,
  /^(system|assistant|user|human)\s?:/,
];

/** Longer than any paragraph that a person reads; what an order hides behind is looked at too. */
const MAX_CHARS = 20_000;

/**
 * Whether a paragraph gives orders to a model. It is then neither shown to one nor taken for the page's own word. Text
 * that talks about such orders is lost too, which costs less than one order that is obeyed.
 */
export function givesOrders(text: string): boolean {
  const folded = fold(text.slice(0, MAX_CHARS));
  return ORDERS.some((pattern) => pattern.test(folded));
}
