import type { Ref } from 'react'

interface FileInputProps {
  /** Opens the file picker with `ref.current.click()`. */
  readonly ref: Ref<HTMLInputElement>
  readonly onFiles: (files: readonly File[]) => void
  readonly multiple?: boolean
  /** As in `<input accept>`. */
  readonly accept?: string | undefined
}

/** A hidden file input, opened by a custom button. */
export function FileInput({ onFiles, ...props }: FileInputProps) {
  return (
    <input
      {...props}
      type="file"
      hidden
      onChange={({ currentTarget }) => {
        onFiles(Array.from(currentTarget.files ?? []))
        // Allows choosing the same file again.
        currentTarget.value = ''
      }}
    />
  )
}
