import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { exitCodes } from '../../src/cli/error-codes.ts'
import { renderTable } from '../../src/cli/table.ts'
import { invalid, parseServiceUrl } from '../../src/config/common-flags.ts'
import { escapeToOneLine, readSecret } from '../../src/domain/text.ts'
import { isSkipped, type VerifiedOperation } from '../../src/tools/contract/check-answer.ts'
import type { Verification, verifiedContract } from '../../src/tools/contract/verify-contract.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class ContractVerify extends BaseCommand<Rendered<typeof verifiedContract>> {
  static override summary = 'Check that a deployment follows the published contract.'
  static override description =
    'Calls every read operation, also in ways that must fail, and checks the responses against each published contract version that the deployment also has. With --write, the command also registers a fictitious investor, places an order and cancels it.\n\nExit code 4: a response differs from the contract, or no order could be placed. Exit code 5: no service answers.'
  static override examples = [
    'COOPSHARE_CLIENT_SECRET=demo-bank-full-secret-for-staging-only <%= config.bin %> <%= command.id %> --url http://127.0.0.1:8080 --client-id d0000000-0000-4000-8000-000000000001',
    '<%= config.bin %> <%= command.id %> --url https://staging.example --write --json',
  ]
  static override flags = {
    url: Flags.string({
      required: true,
      helpValue: 'URL',
      parse: async (text) => parseServiceUrl('--url', text),
      description: 'Address of the deployment, without /v1 or /oauth2.',
    }),
    'client-id': Flags.string({
      env: 'COOPSHARE_CLIENT_ID',
      required: true,
      helpValue: 'ID',
      parse: async (text) => requireCredential('--client-id', text),
      description: 'Id of a partner client; operations outside its scopes are skipped.',
    }),
    'client-secret': Flags.string({
      env: 'COOPSHARE_CLIENT_SECRET',
      required: true,
      helpValue: 'SECRET',
      parse: async (text) => requireCredential('--client-secret', text),
      description: 'Client secret. Prefer the variable.',
    }),
    timeout: Flags.integer({
      default: 30,
      min: 1,
      // Timers of Node cannot wait longer than this maximum.
      max: Math.floor((2 ** 31 - 1) / 1000),
      helpValue: 'SECONDS',
      description:
        'Time limit for each response. The check stops at the first response that takes longer.',
    }),
    write: Flags.boolean({ description: 'Also register an investor and place an order.' }),
  }

  override async output() {
    const { verifiedContract } = await import('../../src/tools/contract/verify-contract.ts')
    return verifiedContract
  }

  async run() {
    const { flags } = await this.parse(ContractVerify)
    const { verifyContract } = await import('../../src/tools/contract/verify-contract.ts')
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
        OPERATION: 'operation',
        STATUS: 'status',
        RESULT: resultOf,
        DIFFERENCE: ({ difference, missing_scopes: missing }) =>
          missing.length > 0 ? `missing scope: ${missing.join(', ')}` : difference,
      }),
    )
    for (const line of summaryOf(verification)) this.show(escapeToOneLine(line))
    if (!verification.holds) process.exitCode = exitCodes.refused
    return verification
  }
}

function requireCredential(flag: string, text: string): string {
  const credential = readSecret(text)
  if (credential !== undefined) return credential
  throw invalid(`${flag} is empty.`)
}

function summaryOf({ operations, versions, unknown_versions: unknown }: Verification): string[] {
  const first = operations.find((one) => !one.holds)
  const result = first
    ? `First difference: ${first.operation} ${first.difference}`
    : `All responses match ${versions.join(', ')}.`
  const unread = unknown.map(
    (version) => `Skipped version ${version}: this program does not know it.`,
  )
  return [result, ...skippedOf(operations), ...unread]
}

function skippedOf(operations: readonly VerifiedOperation[]): string[] {
  const all = operations.filter(isSkipped)
  const unseen = all.filter(({ missing_scopes: missing }) => missing.length > 0)
  const missing = [...new Set(unseen.flatMap((one) => one.missing_scopes))].join(', ')
  return [
    [all.length - unseen.length, 'because the deployment has no data for them'] as const,
    [unseen.length, `because the client lacks ${missing}`] as const,
  ]
    .filter(([count]) => count > 0)
    .map(([count, why]) => `Skipped ${count} of ${operations.length} operations ${why}.`)
}

function resultOf(operation: VerifiedOperation): string {
  if (!operation.holds) return 'differs'
  return isSkipped(operation) ? 'skipped' : 'ok'
}
