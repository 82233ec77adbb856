import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { renderFields } from '../../src/cli/table.ts'
import { globalFlags } from '../../src/config/serve-flags.ts'
import { storePlaceOf } from '../../src/config/store-place.ts'

export default class StoreCopy extends BaseCommand {
  static override summary =
    'Copy the store into an empty database, or from a database into an empty directory.'
  static override description =
    `All or nothing: everything is read again from where it was written, and kept only if it is the same. No service may run on a directory that is copied; a database is copied as it is at one moment, so stop the instances that write to it.

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
    this.log(keyAdvice(copied.encryption_key_file))
    return copied
  }
}

function keyAdvice(file: string | null): string {
  const key = file === null ? 'that you gave' : `in ${file}`
  return `Its key is the one ${key}: serve it with --encryption-key-file or COOPSHARE_ENCRYPTION_KEY.`
}
