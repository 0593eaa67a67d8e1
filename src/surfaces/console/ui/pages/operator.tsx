export function Operator() {
  return null;
}
