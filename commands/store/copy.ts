import { Flags } from '@oclif/core'
import { BaseCommand, storeFlags } from '../../src/cli/base-command.ts'
import type { copiedStore } from '../../src/cli/offline-store.ts'
import { renderFields } from '../../src/cli/table.ts'
import { storePlaceOf } from '../../src/config/database-flags.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class StoreCopy extends BaseCommand<Rendered<typeof copiedStore>> {
  static override summary =
    'Copy the store to an empty database, or from a database to an empty directory.'
  static override description =
    `Stop the service first. The command reads the copy back, compares it with the source, and keeps it only if both are identical.

The source is then marked as moved: you can read, check and back it up, but not serve or change it. So two stores never accept orders at the same time. \`store reopen\` removes the mark. If the command was killed and you can serve neither store, reopen the source and copy again. To move back, copy in the other direction.

The encryption key is not copied: the new store needs the key of the old one.`
  static override examples = [
    'COOPSHARE_COPY_TO=postgres://… <%= config.bin %> <%= command.id %> --data-dir /srv/coopshare',
    'COOPSHARE_DATABASE_URL=postgres://… <%= config.bin %> <%= command.id %> --to /srv/coopshare',
  ]
  static override baseFlags = storeFlags
  static override flags = {
    to: Flags.string({
      env: 'COOPSHARE_COPY_TO',
      required: true,
      helpValue: 'URL|DIR',
      description:
        'Address of an empty database, or a new directory. Use the variable if the address contains a password.',
    }),
  }

  override async output() {
    const { copiedStore } = await import('../../src/cli/offline-store.ts')
    return copiedStore
  }

  async run() {
    const { flags } = await this.parse(StoreCopy)
    const { to, ...others } = flags
    const config = await this.readConfig(others)
    const { copyStore } = await import('../../src/cli/offline-store.ts')
    const copied = await copyStore(config, storePlaceOf(to, flags))
    this.show(renderFields(copied.records))
    this.log(`Copied ${copied.from} to ${copied.to}. The copy is identical.`)
    this.log(
      `${copied.from} is marked as moved: it can be read but not served or changed. \`coopshare store reopen\` removes the mark.`,
    )
    this.log(keyAdvice(copied.encryption_key_file))
    return copied
  }
}

function keyAdvice(file: string | null): string {
  const key = file === null ? 'the key that you gave' : `the key in ${file}`
  return `The copy needs ${key}: serve it with --encryption-key-file or COOPSHARE_ENCRYPTION_KEY.`
}
