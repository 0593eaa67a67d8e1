import { CopyButton } from "./copy-button.tsx";

interface CodeProps {
  /** Names the region for screen readers. */
  readonly label: string;
  readonly text: string;
  /** What the button copies: `curl command`. */
  readonly what: string;
}

/** Code that scrolls inside its frame, with a button that copies it. */
export const CodeBlock = ({ label, text, what }: CodeProps) => (
  <div class="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
    <section class="code-scroll" tabIndex={0} aria-label={label}>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
    <CopyButton text={text} what={what} />
  </div>
);
