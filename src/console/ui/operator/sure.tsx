interface SureProps {
  /** What is done then: `Yes, revoke it`. */
  readonly yes: string;
  readonly tone?: "danger" | "primary";
  readonly busy: boolean;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** In place of a button whose deed cannot be undone: it is done when it is said again. */
export const Sure = ({ yes, tone = "danger", busy, onYes, onNo }: SureProps) => (
  <>
    <button type="button" class={`button small ${tone}`} disabled={busy} onClick={onYes}>
      {yes}
    </button>
    <button type="button" class="button small quiet" onClick={onNo}>
      No
    </button>
  </>
);
