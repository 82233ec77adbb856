const selfSigned = 'is self-signed, not signed by an authority'

/**
 * What is wrong with the certificate of another machine, by the code of Node; undefined if the code is about something
 * else. The clause follows "The certificate".
 * @param server what the reader calls the other machine, such as "the receiver"
 */
export function certificateFault(code: string, server: string): string | undefined {
  const unknownAuthority = `is from an authority that this machine does not know, or ${server} leaves out its intermediate certificates`
  const faults: Readonly<Record<string, string>> = {
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
    UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
    SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
    DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
    CERT_HAS_EXPIRED: 'has expired',
    CERT_NOT_YET_VALID: 'is not valid yet',
    ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
  }
  return faults[code]
}
