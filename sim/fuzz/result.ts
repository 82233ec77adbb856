// What came of a task of a fuzzing.
export interface FuzzResult {
  readonly tried: number
  /** How often each came about. Those of requests have the door, the status and the code. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly findings: readonly Finding[]
  /** What they took of the processor. */
  readonly cpuMs?: number
  /** The documented routes that have done what they are for. */
  readonly reached?: readonly string[]
}

export interface Finding {
  readonly fault: string
  readonly input: unknown
}

/** The place of a call has the line and the column. Help texts have lines that begin with "at", too. */
const stack = /\n\s+at .*(:\d+:\d+|<anonymous>)\)?|node_modules|\/src\/\w+\//

export function showsStack(text: string): boolean {
  return stack.test(text)
}
