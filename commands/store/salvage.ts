import { Args, Flags } from '@oclif/core'
import { BaseCommand, storeFlags } from '../../src/cli/base-command.ts'
import type { salvagedStore } from '../../src/cli/offline-store.ts'
import { accessAdvice, renderStoreAccess } from '../../src/cli/store-access.ts'
import { renderFields } from '../../src/cli/table.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class StoreSalvage extends BaseCommand<Rendered<typeof salvagedStore>> {
  static override summary = 'Create a new store from the undamaged records of a damaged one.'
  static override description =
    `Use this if you have no undamaged recent backup. Stop the service first. The damaged store or backup is not changed.

A record is kept in its last undamaged state if everything that it refers to is kept: an order whose investor is lost is left out. Holdings and event counts are computed again.

The command lists damaged lines (with the ids in them and the records that may be out of date), records that were left out or corrected, and orders that cannot be settled because they depend on lost orders.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --data-dir /srv/coopshare --to /srv/coopshare-new',
    '<%= config.bin %> <%= command.id %> coopshare-2026-11-20.backup --to /srv/coopshare-new --json',
  ]
  static override baseFlags = storeFlags
  static override args = {
    backup: Args.string({
      ignoreStdin: true,
      description: 'Path of a damaged backup. Default: the store in the data directory.',
    }),
  }
  static override flags = {
    to: Flags.string({
      required: true,
      helpValue: 'DIR',
      description: 'New or empty directory for the new store.',
    }),
  }

  override async output() {
    const { salvagedStore } = await import('../../src/cli/offline-store.ts')
    return salvagedStore
  }

  async run() {
    const { args, flags } = await this.parse(StoreSalvage)
    const { to, ...others } = flags
    const config = await this.readConfig(others)
    const { salvageStore } = await import('../../src/cli/offline-store.ts')
    const salvaged = await salvageStore(config, { backup: args.backup, to })
    this.show(renderFields(salvaged.records))
    this.show(renderStoreAccess(salvaged.access))
    this.log(accessAdvice('the salvaged state'))
    for (const { file, line, reason, ids, older } of salvaged.lost) {
      this.log(
        `Lost: ${file}${line === null ? '' : `, line ${line}`}: ${reason}${listed('ids', ids)}${listed('may be out of date', older)}`,
      )
    }
    for (const { record, reason } of salvaged.left_out) this.log(`Left out: ${record}: ${reason}`)
    for (const { record, reason } of salvaged.corrected) this.log(`Corrected: ${record}: ${reason}`)
    for (const { record, reason } of salvaged.cannot_settle) {
      this.log(`Cannot be settled: ${record}: ${reason}`)
    }
    this.log(
      salvaged.complete
        ? `Salvaged the whole store to ${salvaged.data_dir}.`
        : `Salvaged the undamaged records to ${salvaged.data_dir}.`,
    )
    return salvaged
  }
}

function listed(what: string, names: readonly string[]): string {
  return names.length > 0 ? ` (${what}: ${names.join(', ')})` : ''
}
