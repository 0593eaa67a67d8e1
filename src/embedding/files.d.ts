/** What `with { type: "file" }` gives for a model: its path. */
declare module "*.onnx" {
  const path: string;
  export default path;
}
