import { Menu, useMantineColorScheme } from "@mantine/core";
import { IconButton } from "../controls/IconButton.tsx";
import { Icon } from "../controls/icons.tsx";

const themes = [
  { scheme: "light", label: "Light", icon: "sun" },
  { scheme: "dark", label: "Dark", icon: "moon" },
  { scheme: "auto", label: "Match system", icon: "auto" },
] as const;

export function ThemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const current = themes.find(({ scheme }) => scheme === colorScheme) ?? themes[2];
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <IconButton label={`Theme: ${current.label.toLowerCase()}`} icon={current.icon} />
      </Menu.Target>
      <Menu.Dropdown>
        {themes.map(({ scheme, label, icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={icon} />}
            rightSection={scheme === colorScheme ? <Icon name="check" size={14} /> : undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
