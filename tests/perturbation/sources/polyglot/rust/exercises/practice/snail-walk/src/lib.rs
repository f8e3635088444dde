pub fn days(wall: u32, up: u32, down: u32) -> Option<u32> {
    todo!("wall {wall}, up {up}, down {down}")
}
