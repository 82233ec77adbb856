import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { exitCodes } from '../../src/cli/exit-codes.ts'
import { renderTable } from '../../src/cli/table.ts'
import {
  isPassedOver,
  type VerifiedOperation,
} from '../../src/cli/verify-contract/verified-operation.ts'
import type { Verification } from '../../src/cli/verify-contract/verify-contract.ts'
import { parseServiceUrl } from '../../src/config/http-url.ts'
import { showOnOneLine } from '../../src/domain/hidden-characters.ts'

export default class ContractVerify extends BaseCommand {
  static override summary = 'Check that a deployment answers as the published contract says.'
  static override description =
    'Asks each operation that reads, some so that they are refused, and measures the answers by every published version that the deployment has, too. With --write it registers an invented investor, too, places an order and cancels it. Ends with 4 when anything differs or no order could be placed, with 5 when no service answers.'
  static override examples = [
    'COOPSHARE_CLIENT_SECRET=demo-bank-full-secret-for-staging-only <%= config.bin %> <%= command.id %> --url http://127.0.0.1:8080 --client-id d0000000-0000-4000-8000-000000000001',
    '<%= config.bin %> <%= command.id %> --url https://staging.example --write --json',
  ]
  static override flags = {
    url: Flags.string({
      required: true,
      helpValue: 'URL',
      parse: async (text) => parseServiceUrl('url', text),
      description: 'Address of the deployment: what stands before /v1 and /oauth2.',
    }),
    'client-id': Flags.string({
      env: 'COOPSHARE_CLIENT_ID',
      required: true,
      helpValue: 'ID',
      description: 'Client of a partner; what its scopes do not allow is passed over.',
    }),
    'client-secret': Flags.string({
      env: 'COOPSHARE_CLIENT_SECRET',
      required: true,
      helpValue: 'SECRET',
      description: 'One of its secrets; better given as a variable.',
    }),
    timeout: Flags.integer({
      default: 30,
      min: 1,
      // Longer than this no timer of Node waits.
      max: Math.floor((2 ** 31 - 1) / 1000),
      helpValue: 'SECONDS',
      description:
        'How long each answer may take. After one that takes longer nothing more is asked.',
    }),
    write: Flags.boolean({ description: 'Register an investor and place an order, too.' }),
  }

  async run() {
    const { flags } = await this.parse(ContractVerify)
    const { verifyContract } = await import('../../src/cli/verify-contract/verify-contract.ts')
    const deployment = {
      url: flags.url,
      clientId: flags['client-id'],
      clientSecret: flags['client-secret'],
    }
    const verification = await verifyContract(deployment, {
      write: flags.write,
      timeoutSeconds: flags.timeout,
    })
    this.show(
      renderTable(verification.operations, {
        OPERATION: ({ operation }) => operation,
        STATUS: ({ status }) => status,
        RESULT: resultOf,
        DIFFERENCE: ({ difference, missing_scopes: missing }) =>
          missing.length > 0 ? `lacks ${missing.join(', ')}` : difference,
      }),
    )
    for (const line of summaryOf(verification)) this.show(showOnOneLine(line))
    if (!verification.holds) process.exitCode = exitCodes.refused
    return verification
  }
}

function summaryOf({ operations, versions, unknown_versions: unknown }: Verification): string[] {
  const first = operations.find((one) => !one.holds)
  const result = first
    ? `First difference: ${first.operation} ${first.difference}`
    : `All as in ${versions.join(', ')}.`
  const unread = unknown.map(
    (version) => `Passed over: ${version}, which this program does not know.`,
  )
  return [result, ...passedOver(operations), ...unread]
}

function passedOver(operations: readonly VerifiedOperation[]): string[] {
  const all = operations.filter(isPassedOver)
  const unseen = all.filter(({ missing_scopes: missing }) => missing.length > 0)
  const missing = [...new Set(unseen.flatMap((one) => one.missing_scopes))].join(', ')
  return [
    [all.length - unseen.length, 'for which the deployment has nothing'] as const,
    [unseen.length, `for which the client lacks ${missing}`] as const,
  ]
    .filter(([count]) => count > 0)
    .map(([count, why]) => `Passed over: ${count} of ${operations.length}, ${why}.`)
}

function resultOf(operation: VerifiedOperation): string {
  if (!operation.holds) return 'differs'
  return isPassedOver(operation) ? 'passed over' : 'ok'
}
