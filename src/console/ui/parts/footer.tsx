import { start } from "../start.ts";
import { useAnswer } from "../use-answer.ts";

export function Footer() {
  const [answer] = useAnswer(start, []);
  return (
    <footer class="bottom">
      <div class="bottom-inner">
        <p>
          {answer.state === "told" ? `Casefile ${answer.value.version}` : "Casefile"} runs on your own machine, loads
          nothing from elsewhere and reports to nobody.
        </p>
        <nav aria-label="More">
          <ul>
            <li>
              <a href="/docs">API reference</a>
            </li>
            <li>
              <a href="/submit">Submit case studies</a>
            </li>
            <li>
              <a href="/operator">Operator</a>
            </li>
          </ul>
        </nav>
      </div>
    </footer>
  );
}
