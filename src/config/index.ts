export { environmentSecrets } from "./environment-secrets.js";
export { defaultIndexDirectory, type LoadOptions, loadConfig, userFile } from "./files.js";
export { type Config, type Origin, settingsFrom } from "./ladder.js";
export {
  SETTING_PATHS,
  type Setting,
  type SettingPath,
  type Settings,
  type SettingsInput,
  settingAt,
} from "./settings.js";
