import { render } from "preact";
import { Console } from "./console.tsx";
import { startRouter } from "./router.ts";

const root = document.getElementById("console");
if (!root) throw new Error("the page has no place for the console");
startRouter();
render(<Console />, root);
