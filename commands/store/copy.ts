import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { renderFields } from '../../src/cli/table.ts'
import { globalFlags } from '../../src/config/serve-flags.ts'
import { storePlaceOf } from '../../src/config/store-place.ts'

export default class StoreCopy extends BaseCommand {
  static override summary =
    'Copy the store into an empty database, or from a database into an empty directory.'
  static override description =
    `All or nothing: everything is read again from where it was written, and kept only if it is the same. Stop the service first: a directory that is served is refused, and what instances write to a database waits until the copy is complete and is refused then.

The source is marked as moved just before the copy becomes a store. From then on it can be read, checked and backed up, but it is neither served nor changed, so that there are never two stores that take orders; \`store reopen\` takes the mark away. If the command was killed and neither of the two can be served, reopen the source and copy again. To move back, copy in the other direction: a store that was moved gives way to its own copy.

The key is not copied: the new store opens with the key of the old one only.`
  static override examples = [
    'COOPSHARE_COPY_TO=postgres://… <%= config.bin %> <%= command.id %> --data-dir /srv/coopshare',
    'COOPSHARE_DATABASE_URL=postgres://… <%= config.bin %> <%= command.id %> --to /srv/coopshare',
  ]
  static override baseFlags = globalFlags
  static override flags = {
    to: Flags.string({
      env: 'COOPSHARE_COPY_TO',
      required: true,
      helpValue: 'URL|DIR',
      description:
        'An empty database, or a new directory. An address with a password in it, give as the variable.',
    }),
  }

  async run() {
    const { flags } = await this.parse(StoreCopy)
    const { to, ...others } = flags
    const config = await this.readConfig(others)
    const { copyStore } = await import('../../src/cli/copy-store.ts')
    const copied = await copyStore(config, storePlaceOf(to, flags))
    this.show(renderFields(copied.records))
    this.log(`Copied from ${copied.from} to ${copied.to}, and read back: the same.`)
    this.log(
      `${copied.from} is marked as moved: it can be read, but it is not served or changed until \`coopshare store reopen\`.`,
    )
    this.log(keyAdvice(copied.encryption_key_file))
    return copied
  }
}

function keyAdvice(file: string | null): string {
  const key = file === null ? 'that you gave' : `in ${file}`
  return `Its key is the one ${key}: serve it with --encryption-key-file or COOPSHARE_ENCRYPTION_KEY.`
}
