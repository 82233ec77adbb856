/** What a line of the log says beside its message. Never a secret, a token, or anything about a person. */
export type LogFields = Readonly<Record<string, unknown>>

export interface Logger {
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
}
