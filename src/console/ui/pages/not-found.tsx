import { LookUpBox } from "../parts/look-up-box.tsx";
import { useTitle } from "../router.ts";

export function NotFound() {
  useTitle("No such page");
  return (
    <div class="narrow">
      <h1>There is no such page</h1>
      <p class="lead">
        The address may be misspelt, or what was here is gone. Look up a company instead, or begin at the start.
      </p>
      <LookUpBox />
      <p>
        <a href="/">To the start</a>
      </p>
    </div>
  );
}
