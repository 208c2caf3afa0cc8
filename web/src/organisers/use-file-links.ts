import { fetchPicture } from '@pennant/contract/uploads.ts'
import { send } from '../api/client.ts'
import { RequestFailure } from '../api/failure.ts'
import { uploadFile } from '../api/upload.ts'
import { organiserListMessages } from '../text/en/organiser-list.ts'
import { useErrorText, useMessages } from '../text/messages.ts'
import { fileLink } from '../ui/rich/markdown-format.ts'
import type { Stored } from '../ui/rich/store-pictures.ts'

/** Stores files and pictures for a Markdown text. */
export function useFileLinks() {
  const errorText = useErrorText('once')
  const reasons: Readonly<Record<string, string>> = useMessages(organiserListMessages).pictureFailures
  const attempt = async (store: () => Promise<Stored>): Promise<Stored> => {
    try {
      return await store()
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      return { failure: errorText(error) }
    }
  }
  return {
    onFile: (file: File) =>
      attempt(async () => {
        const { name, url } = await uploadFile(file)
        return { text: fileLink(name, url, file.type.startsWith('image/')) }
      }),
    onPicture: (url: string) =>
      attempt(async () => {
        const response = await send(fetchPicture, { body: { url } })
        if (response.kind === 'goodPictureFetch') return { text: response.data.url }
        if (response.kind === 'badPictureFetch')
          return { failure: reasons[response.data?.reason ?? ''] ?? errorText(response) }
        return { failure: errorText(response) }
      }),
  }
}
