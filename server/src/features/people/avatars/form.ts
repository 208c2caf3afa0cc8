import { badAvatarFileSize } from '@pennant/contract/avatars.ts'
import { badBodySize } from '@pennant/contract/replies.ts'
import { FileName } from '@pennant/contract/uploads.ts'
import type { IncomingBody } from '../../../http/request/body.ts'
import { readForm, type FormFile } from '../../../http/request/multipart.ts'
import { refuse } from '../../../http/request/validate.ts'
import type { StagedFile } from '../../../providers/uploads/uploads.ts'
import type { Staging } from '../../site/uploads/staging.ts'

export interface AvatarForm {
  /** Null if the form contains no file: the avatar is removed. */
  readonly avatar: StagedFile | null
  readonly captchaCode: string | undefined
}

export interface AvatarFormOptions {
  readonly staging: Staging
  readonly maxAvatarSize: number
  /** Maximum size of the whole form, in bytes. */
  readonly bodyCap: number
}

/** Reads the whole form. The file goes to disk, so that concurrent uploads do not fill the memory. */
export async function receiveAvatarForm(incoming: IncomingBody, options: AvatarFormOptions) {
  const { staging, maxAvatarSize, bodyCap } = options
  const files: (StagedFile | null)[] = []
  const codes: string[] = []

  async function onFile({ field, name, content }: FormFile) {
    if (field !== 'avatar') {
      content.resume()
      return null
    }
    const at = files.push(null) - 1
    if (at > 0) return refuse('body', 'avatar', 'must be sent once')
    const checked = FileName.safeParse(name ?? '')
    if (!checked.success) {
      return refuse('body', 'avatar', checked.error.issues[0]?.message ?? 'is not valid')
    }
    files[at] = await staging.receive(content)
    return null
  }

  function onField(name: string | undefined, value: string) {
    if (name === 'avatar') return refuse('body', 'avatar', 'must be a file')
    if (name === 'captchaCode' && codes.length === 0) codes.push(value)
    return null
  }

  const refused = await readForm(incoming, { cap: bodyCap, onFile, onField })
  // The body cap is the file size limit plus the overhead of a form.
  if (refused?.reply === badBodySize) return { refused: badAvatarFileSize({ maxSize: maxAvatarSize }) }
  if (refused) return { refused: refused as ReturnType<typeof refuse> }
  return { form: { avatar: files[0] ?? null, captchaCode: codes[0] } satisfies AvatarForm }
}
