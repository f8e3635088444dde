pub fn days(wall: u32, up: u32, down: u32) -> Option<u32> {
    if up >= wall {
        return Some(1);
    }
    if up <= down {
        return None;
    }
    let gain = up - down;
    Some((wall - up).div_ceil(gain) + 1)
}
