use snail_walk::days;

#[test]
fn one_day_is_enough() {
    assert_eq!(days(3, 5, 1), Some(1));
}

#[test]
#[ignore]
fn nights_cost_days() {
    assert_eq!(days(10, 4, 1), Some(3));
}

#[test]
#[ignore]
fn never_arrives() {
    assert_eq!(days(10, 2, 2), None);
}
