import { RequestFailure } from '../api/failure.ts'
import { uploadFile } from '../api/upload.ts'
import { useErrorText } from '../text/errors.ts'
import { useToasts } from '../ui/layers/toasts.tsx'
import { fileLink } from '../ui/rich/markdown-format.ts'

/** Uploads a file for a Markdown text. Returns its link, or null after showing the error. */
export function useFileLinks() {
  const errorText = useErrorText('once')
  const toasts = useToasts()
  return async (file: File): Promise<string | null> => {
    try {
      const { name, url } = await uploadFile(file)
      return fileLink(name, url, file.type.startsWith('image/'))
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      toasts.show(errorText(error), 'bad')
      return null
    }
  }
}
