import { replacePictures } from '@pennant/contract/text-pictures.ts'

/** What stands for a stored file in the text, or why it could not be stored. */
export type Stored = { readonly text: string } | { readonly failure: string }

/** Pictures that one click stores: each is a request of the server to another site. */
const MAX_STORED = 20

/** Stores pictures of other sites, one after another, and returns what replaces their addresses in a text. */
export async function storePictures(
  addresses: readonly string[],
  onPicture: (address: string) => Promise<Stored>,
) {
  const found = new Map<string, string>()
  const failures: string[] = []
  for (const address of addresses.slice(0, MAX_STORED)) {
    const stored = await onPicture(address)
    if ('failure' in stored) failures.push(`${address}: ${stored.failure}`)
    else found.set(address, stored.text)
  }
  const change = (text: string) => replacePictures(text, (address) => found.get(address) ?? address)
  return { count: found.size, failures, change }
}
