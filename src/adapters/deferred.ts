import type { BankDirectory } from '../ports/bank-directory.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'

/**
 * Loads an adapter at its first use. Adapters that speak to other machines are most of the program, and most commands
 * never need them.
 */
type Load<Port> = () => Promise<Port>

export function deferWebhookSender(load: Load<WebhookSender>): WebhookSender {
  const sender = loadOnce(load)
  return {
    send: async (request) => (await sender()).send(request),
    findAddressError: async (url) => (await sender()).findAddressError(url),
    inspectAddresses: async (url) => (await sender()).inspectAddresses(url),
    inspectCertificate: async (url) => (await sender()).inspectCertificate(url),
  }
}

export function deferBankDirectory(load: Load<BankDirectory>): BankDirectory {
  const directory = loadOnce(load)
  return { lookUp: async (iban) => (await directory()).lookUp(iban) }
}

export function deferMailer(load: Load<Mailer>): Mailer {
  let used: Mailer | undefined
  const mailer = loadOnce(async () => (used = await load()))
  return {
    send: async (mail, signal) => (await mailer()).send(mail, signal),
    removeFiles: async (deliveryIds) => (await mailer()).removeFiles(deliveryIds),
    close: () => used?.close(),
  }
}

function loadOnce<Port>(load: Load<Port>): Load<Port> {
  let loading: Promise<Port> | undefined
  return () => (loading ??= load())
}
