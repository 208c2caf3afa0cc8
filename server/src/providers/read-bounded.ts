import { ProviderError } from './provider.ts'

/** The whole body of an answer. A service that sends more than this is not what it is taken for. */
export async function readBounded(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Leaving the loop ends the transfer.
    if (size > maxBytes) throw new ProviderError(`an answer is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
