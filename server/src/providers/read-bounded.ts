import { ProviderError } from './provider.ts'

/** Reads a whole response body. A larger one means that the service is not what was expected. */
export async function readBounded(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Throwing here also aborts the transfer.
    if (size > maxBytes) throw new ProviderError(`a response is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
