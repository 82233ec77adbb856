// The result of one task.
export interface FuzzResult {
  readonly tried: number
  /** How many times each outcome occurred. For requests: the listener, the status and the code. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly findings: readonly Finding[]
  /** The CPU time of the task. */
  readonly cpuMs?: number
  /** The documented routes that answered with success. */
  readonly reached?: readonly string[]
}

export interface Finding {
  readonly fault: string
  readonly input: unknown
}

/** Matches calls with a line and a column, because help texts also have lines that begin with "at". */
const stack = /\n\s+at .*(:\d+:\d+|<anonymous>)\)?|node_modules|\/src\/\w+\//

export function showsStack(text: string): boolean {
  return stack.test(text)
}
