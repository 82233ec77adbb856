import { BaseCommand } from '../../src/cli/base-command.ts'
import { renderTable } from '../../src/cli/table.ts'
import { serveFlags } from '../../src/config/serve-flags.ts'
import { type Setting, settingSources } from '../../src/config/settings.ts'
import * as schemas from '../../src/wire/json-schema.ts'
import { field, many, oneOf, plain, type Rendered, text } from '../../src/wire/view.ts'

const value = schemas.orNull({
  ...schemas.either(
    schemas.text(''),
    schemas.number(''),
    schemas.bool(''),
    schemas.list(schemas.text('')),
  ),
  description: 'The value as you would write it, or null if it is not set. Secrets are `***`.',
})

const setting = plain('Setting', {
  name: text('Flag that sets it, or its variable if it has no flag.'),
  value: field<unknown, Setting['value']>(value),
  source: oneOf(
    settingSources,
    'Where the value comes from. `file`: from a file that a flag or a variable names.',
  ),
})
const settings = many(setting)

export default class ConfigShow extends BaseCommand<Rendered<typeof settings>> {
  static override summary = 'Show every setting of `serve`, with its value and where it comes from.'
  static override description =
    'Takes the flags of `serve`, and refuses what `serve` would refuse because of its settings. Starts nothing and opens no store. Secrets are not shown.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --environment production --data-dir /srv/coopshare --json',
  ]
  // With all flags, the usage would be longer than a screen.
  static override usage = '<%= command.id %> [flags of serve] [--json]'
  static override flags = serveFlags

  override async output() {
    return settings
  }

  async run() {
    const { flags, raw } = await this.parse(ConfigShow)
    const config = await this.readConfig(flags)
    const { requireNamedFiles, requireServable } = await import(
      '../../src/cli/serve/requirements.ts'
    )
    await requireServable(config)
    await requireNamedFiles(config)
    const { describeSettings } = await import('../../src/config/settings.ts')
    const typed = new Set(raw.flatMap((token) => (token.type === 'flag' ? [token.flag] : [])))
    const found = describeSettings({ config, flags, typed, variables: process.env })
    this.show(
      renderTable(found, {
        SETTING: 'name',
        VALUE: ({ value }) =>
          Array.isArray(value) ? value.join(' ') : value === null ? null : String(value),
        SOURCE: 'source',
      }),
    )
    return found
  }
}
