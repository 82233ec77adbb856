/** How to reach the database, and how to behave there. */
export interface DatabaseOptions {
  /** May hold a password. */
  readonly url: string
  /** In all; a part of them only reads. */
  readonly poolSize: number
  readonly statementTimeoutMs: number
  /** `require` encrypts for whoever answers; `verify` asks for a certificate of the host. */
  readonly tls: 'off' | 'require' | 'verify'
  /** PEM; the authorities of the system when undefined. */
  readonly certificateAuthority?: string | undefined
}
