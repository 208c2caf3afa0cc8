/** A platform of the images, by the names that its sources use. */
export interface Architecture {
  /** Of Debian and of OCI. */
  readonly name: 'amd64' | 'arm64'
  /** Of npm. */
  readonly cpu: 'x64' | 'arm64'
  /** Of Debian's folders of libraries. */
  readonly triplet: string
  /** Number in ELF headers. */
  readonly machine: number
}

export const architectures: readonly Architecture[] = [
  { name: 'amd64', cpu: 'x64', triplet: 'x86_64-linux-gnu', machine: 62 },
  { name: 'arm64', cpu: 'arm64', triplet: 'aarch64-linux-gnu', machine: 183 },
]
