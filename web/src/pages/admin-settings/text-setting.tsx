import { Textarea, TextInput } from '../../ui/fields/inputs.tsx'
import { useText } from '../../text/catalogue.ts'
import type { Values } from './draft.ts'
import { Setting } from './setting.tsx'
import { UploadPicture } from './upload-picture.tsx'
import type { SettingsForm } from './use-settings.ts'
import { words } from './words.ts'

type TextKey = { [K in keyof Values]: Values[K] extends string ? K : never }[keyof Values]

interface TextSettingProps {
  readonly form: SettingsForm
  readonly name: TextKey
  readonly max: number
  readonly help?: string
  /** `picture`: the address of one, which may be stored here. */
  readonly kind?: 'line' | 'lines' | 'address' | 'picture'
}

/** A setting that is a text. */
export function TextSetting({ form, name, max, help, kind = 'line' }: TextSettingProps) {
  const text = useText(words)
  const field = {
    name,
    label: text.names[name],
    help,
    maxLength: max,
    value: form.values[name],
    error: form.errors[name],
    onChange: (value: string) => form.set({ [name]: value }),
  }
  return (
    <Setting form={form} name={name}>
      {kind === 'lines' ? (
        <Textarea {...field} counted rows={3} />
      ) : (
        <TextInput {...field} mono={kind !== 'line'} autoComplete="off" />
      )}
      {kind === 'picture' && <UploadPicture name={text.names[name]} onStored={field.onChange} />}
    </Setting>
  )
}
