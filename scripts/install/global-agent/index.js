// The install script of onnxruntime-node calls this first and then downloads GPU libraries of hundreds of megabytes.
// npm before 11 has no setting that stops a single install script.
exports.bootstrap = () => process.exit(0);
