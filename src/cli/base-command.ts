import { format } from 'node:util'
import { Command, Flags, Parser } from '@oclif/core'
import { globalFlags, type ServeFlags, serveFlags } from '../config/serve-flags.ts'
import { type Config, createConfig } from '../config.ts'
import type { Answer } from '../wire/view.ts'
import { describeError, exitCodeOf, failure, isForPeople } from './errors.ts'
import { explainStoreFailure, explainSystemError } from './explain-system-error.ts'
import { isOutputRead } from './lost-output.ts'
import { printError, printJson, printOut } from './output.ts'
import { nameSetting, suggestFlags } from './suggestions.ts'

const outputFlags = { json: Flags.boolean({ description: 'Print JSON instead of text.' }) }

/** The flags of a command that works on a store without a service. */
export const storeFlags = { ...outputFlags, ...globalFlags }

/** What a command prints with `--json`. */
export interface Printed<Json> extends Answer<never, Json> {
  /** Says when it prints which form. */
  readonly note?: string
}

export abstract class BaseCommand<Json> extends Command {
  static override enableJsonFlag = true
  static override baseFlags = outputFlags
  /** undefined until the settings have been read. */
  #dataDirectory: string | undefined
  #hasBegunData = false

  /**
   * Describes what the command prints with `--json`. The reference is made from this description,
   * and tests check each output against it. It works without a running command.
   */
  abstract output(): Promise<Printed<Json>>

  /** With `--json`, such a command prints an object per line, errors included. */
  get printsLines(): boolean {
    return false
  }

  /** @returns what the command prints with `--json`, unless it has printed that while it ran */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command that has printed returns nothing.
  abstract override run(): Promise<Json | void>

  /** With `--json`, stdout carries nothing but JSON. */
  override log(message = '', ...rest: unknown[]): void {
    const text = format(message, ...rest)
    if (this.jsonEnabled()) this.tell(text)
    else printOut(text)
  }

  /** With `--json` it prints nothing, because secrets in the text would end up in the log of a script. */
  protected show(text = ''): void {
    if (!this.jsonEnabled()) printOut(text)
  }

  /** Stops when nobody reads the output any more. */
  protected async showInParts(parts: AsyncIterable<string>, print = printOut): Promise<void> {
    for await (const part of parts) {
      print(part)
      this.#hasBegunData = true
      if (!(await isOutputRead())) return
    }
  }

  /** Prints a line while the command runs. With `--json`, the line is the data. */
  protected showLine(text: string, data: Json): void {
    if (this.jsonEnabled()) printJson(data)
    else printOut(text)
  }

  /** Prints to stderr. */
  protected tell(message: string): void {
    printError(message)
  }

  override logJson(json: unknown): void {
    printJson(json, this.printsLines ? undefined : 'pretty')
  }

  /** Settings of `serve` that are not flags of this command come from their variables. */
  protected async readConfig(flags: Partial<ServeFlags>): Promise<Config> {
    const { flags: defaults } = await Parser.parse([], { flags: serveFlags })
    const config = createConfig(
      { ...(defaults as ServeFlags), ...flags },
      { defaultDataDirectory: this.config.dataDir, variables: process.env },
    )
    this.#dataDirectory = config.dataDirectory
    return config
  }

  /** oclif would break the lines of an error at the width of the terminal, even within an id or a path. */
  protected override async catch(thrown: Error): Promise<void> {
    const dataDirectory = this.#dataDirectory
    const failure = explainStoreFailure(thrown, dataDirectory) as Error
    const { argv } = this
    const flags = { ...serveFlags, ...this.ctor.flags }
    const error = nameSetting(
      suggestFlags(
        explainSystemError(failure, { dataDirectory, argv }),
        Object.keys({ ...this.ctor.flags }),
      ),
      { flags, argv },
    )
    const exit = exitCodeOf(error)
    process.exitCode = exit
    // If a part of the data has been printed, an error after it would make the JSON invalid.
    if (this.jsonEnabled() && !this.#hasBegunData) {
      this.logJson(this.toErrorJson(error))
      return this.noteError(error)
    }
    if (!isForPeople(error)) throw error
    this.tellError(error)
    this.exit(exit)
  }

  protected tellError(error: Error): void {
    this.tell(`Error: ${describeError(error)}`)
  }

  /** With `--json`, stdout already has the error. */
  protected noteError(_error: Error): void {}

  protected override toErrorJson(error: unknown) {
    return failure.render(error)
  }
}
