/** An import with `type: "file"` gives the path of the file. */
declare module "*.onnx" {
  const path: string;
  export default path;
}
