import type { Static, TObject } from "@sinclair/typebox";
import type { App } from "../../app/app.ts";

/** What a tool may know of the call beside its arguments. */
export interface ToolCall {
  /** Aborted when the client cancels or leaves. */
  readonly signal: AbortSignal;
  /** Tells a client that asked for it how far the work is; `done` grows with each call. */
  progress(done: number, total: number, message: string): Promise<void>;
}

/** What a tool answers: the same facts as data and as a compact text. */
export interface ToolAnswer {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** One tool as data with one `run`, which calls a verb of the application. */
export interface Tool<Input extends TObject = TObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: TObject;
  /** Whether it asks others than this installation. */
  readonly openWorld: boolean;
  /** Requests that a call counts as against the monthly limit. */
  units(args: Static<Input>): number;
  /** @throws Failure */
  run(app: App, args: Static<Input>, call: ToolCall): Promise<ToolAnswer>;
}

/** Gives a tool's arguments the types of its schema. */
export const defineTool = <Input extends TObject>(tool: Tool<Input>): Tool<Input> => tool;
