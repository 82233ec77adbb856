/** Structured fields of a log line. Never a secret, a token or personal data. */
export type LogFields = Readonly<Record<string, unknown>>

export interface Logger {
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
}
